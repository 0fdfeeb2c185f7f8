package io.stowline.projection.internal.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

class ComponentAccessorTest {

    record Runner(String name, int age) {}

    private static ComponentAccessor accessor(String method) throws NoSuchMethodException {
        return new TypeAccess(Runner.class).accessor(Runner.class.getMethod(method));
    }

    @Test
    void makesOneFunctionForEachClassHoweverManyMappingsUseIt() throws NoSuchMethodException {
        Object made = accessor("name").function(Function.class, "apply", Object.class);

        assertThat(accessor("name").function(Function.class, "apply", Object.class))
                .isNotNull()
                .isSameAs(made);
    }

    @Test
    void makesAFunctionForEachShapeAndAccessor() throws NoSuchMethodException {
        Runner ann = new Runner("Ann", 41);
        @SuppressWarnings("unchecked")
        Function<Object, Object> boxed =
                (Function<Object, Object>) accessor("age").function(Function.class, "apply", Object.class);
        @SuppressWarnings("unchecked")
        ToIntFunction<Object> plain =
                (ToIntFunction<Object>) accessor("age").function(ToIntFunction.class, "applyAsInt", int.class);
        @SuppressWarnings("unchecked")
        Function<Object, Object> name =
                (Function<Object, Object>) accessor("name").function(Function.class, "apply", Object.class);

        assertThat(boxed.apply(ann)).isEqualTo(41);
        assertThat(plain.applyAsInt(ann)).isEqualTo(41);
        assertThat(name.apply(ann)).isEqualTo("Ann");
    }
}
