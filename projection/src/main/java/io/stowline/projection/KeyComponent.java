package io.stowline.projection;

import java.lang.invoke.MethodHandle;

/** The component of a record that is a key; its getter is of the exact type {@code (Object) -> String}. */
record KeyComponent(String component, int position, MethodHandle getter) {}
