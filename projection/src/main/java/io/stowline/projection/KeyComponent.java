package io.stowline.projection;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The component of a record that is a key; its getter gives a {@code String} or null. */
record KeyComponent(String component, int position, Function<Object, @Nullable Object> getter) {}
