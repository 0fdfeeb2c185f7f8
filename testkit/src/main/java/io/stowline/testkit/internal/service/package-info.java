/** What the services do and the emulator does not. */
@NullMarked
package io.stowline.testkit.internal.service;

import org.jspecify.annotations.NullMarked;
