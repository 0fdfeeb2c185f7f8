/** Conduct of the services that the emulator lacks. */
@NullMarked
package io.stowline.testkit.internal.service;

import org.jspecify.annotations.NullMarked;
