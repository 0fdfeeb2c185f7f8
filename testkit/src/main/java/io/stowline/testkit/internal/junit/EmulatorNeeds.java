package io.stowline.testkit.internal.junit;

import io.stowline.testkit.Azurite;
import java.lang.annotation.Annotation;
import java.lang.reflect.Executable;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A rule that separates the tests that take an {@link Azurite} from those that any storage account serves. */
public final class EmulatorNeeds {

    private static final List<Class<? extends Annotation>> LIFECYCLE =
            List.of(BeforeAll.class, BeforeEach.class, AfterEach.class, AfterAll.class);

    private EmulatorNeeds() {}

    public static boolean has(ExtensionContext context) {
        if (context.getTestMethod().isPresent()) {
            return takesAzurite(context.getTestMethod().get());
        }
        return context.getTestClass().stream().flatMap(EmulatorNeeds::lifecycle).anyMatch(EmulatorNeeds::takesAzurite);
    }

    private static Stream<Executable> lifecycle(Class<?> type) {
        return Stream.concat(
                Arrays.stream(type.getDeclaredConstructors()),
                Arrays.stream(type.getDeclaredMethods())
                        .filter(method -> LIFECYCLE.stream().anyMatch(method::isAnnotationPresent)));
    }

    private static boolean takesAzurite(Executable executable) {
        return List.of(executable.getParameterTypes()).contains(Azurite.class);
    }
}
