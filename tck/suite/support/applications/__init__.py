"""Small applications that scenarios play, written on the messaging API alone: examples to take over."""
