package io.stowline.projection;

/** The component of a record that takes the server's time; {@code offset} tells an OffsetDateTime from an Instant. */
record TimestampComponent(int position, boolean offset) {}
