"""What the demonstration adds to an empty shop; what is there already stays as staff have made it."""
