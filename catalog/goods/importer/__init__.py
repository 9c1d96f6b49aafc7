"""Brings categories, brands and goods in from CSV files and a folder of pictures: all of them or nothing."""
