package io.stowline.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class the emulator that all test classes of this JVM share; short for
 * {@code @ExtendWith(AzuriteExtension.class)}.
 *
 * <pre>{@code
 * @AzuriteTest
 * final class RegistrationsTest {
 *
 *     @Test
 *     void findsWhatWasWritten(TestStorage storage) {
 *         connect(storage.connectionString());
 *     }
 * }
 * }</pre>
 */
@Documented
@Inherited
@SuppressWarnings("exports") // JUnit is optional: a test that uses this annotation requires it
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(AzuriteExtension.class)
public @interface AzuriteTest {}
