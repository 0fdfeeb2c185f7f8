/** Help of the JUnit extensions: the logs of failed tests, and whether a test needs the emulator itself. The extensions call it. */
@NullMarked
package io.stowline.testkit.internal.junit;

import org.jspecify.annotations.NullMarked;
