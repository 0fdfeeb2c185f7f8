package io.stowline.projection.internal.type;

import java.lang.annotation.Annotation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the constructors in the annotation {@code kotlin.Metadata} of a class: which parameters have a default argument, and which
 * may be null. The annotation holds a message of Protocol Buffers, whose field numbers are those of Kotlin's {@code metadata.proto}. Metadata
 * that is not as expected counts as none.
 */
final class KotlinMetadata {

    private static final String ANNOTATION = "kotlin.Metadata";

    private static final int CONSTRUCTOR = 8; // of a class
    private static final int FLAGS = 1; // of a constructor and of a parameter
    private static final int PARAMETER = 2; // of a constructor
    private static final int TYPE = 3; // of a parameter
    private static final int NULLABLE = 3; // of a type
    private static final int VISIBILITY = 7 << 1;
    private static final int INTERNAL = 0;
    private static final int PUBLIC = 3 << 1;
    private static final int IS_SECONDARY = 1 << 4;
    private static final int DECLARES_DEFAULT = 1 << 1;

    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;

    /**
     * A constructor as Kotlin declares it.
     *
     * @param primary whether it stands in the head of the class
     * @param hidden whether it is private or protected
     * @param parameters its parameters, in order
     */
    record KotlinConstructor(boolean primary, boolean hidden, List<KotlinParameter> parameters) {}

    /**
     * A parameter as Kotlin declares it.
     *
     * @param hasDefault whether it has a default argument
     * @param nullable whether its type takes null
     */
    record KotlinParameter(boolean hasDefault, boolean nullable) {}

    private KotlinMetadata() {}

    /** Returns the constructor with so many parameters, or null if the class is not Kotlin's or has not exactly one of them. */
    static @Nullable KotlinConstructor constructor(Class<?> type, int parameters) {
        List<KotlinConstructor> found = constructors(type).stream()
                .filter(each -> each.parameters().size() == parameters)
                .toList();
        return found.size() == 1 ? found.get(0) : null;
    }

    /** Returns whether other code cannot call the primary constructor of a class of Kotlin. */
    static boolean hidesPrimary(Class<?> type) {
        return constructors(type).stream().anyMatch(each -> each.primary() && each.hidden());
    }

    private static List<KotlinConstructor> constructors(Class<?> type) {
        for (Annotation annotation : type.getAnnotations()) {
            if (annotation.annotationType().getName().equals(ANNOTATION)) {
                try {
                    Object data = annotation.annotationType().getMethod("d1").invoke(annotation);
                    return data instanceof String[] texts ? parsed(bytes(texts)) : List.of();
                } catch (ReflectiveOperationException | RuntimeException e) {
                    return List.of();
                }
            }
        }
        return List.of();
    }

    /** After a zero each further character is a byte. */
    private static ByteBuffer bytes(String[] texts) {
        String all = String.join("", texts);
        if (all.isEmpty() || all.charAt(0) != 0) {
            throw new IllegalArgumentException("not the present encoding");
        }
        byte[] bytes = new byte[all.length() - 1];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) all.charAt(i + 1);
        }
        return ByteBuffer.wrap(bytes);
    }

    private static List<KotlinConstructor> parsed(ByteBuffer bytes) {
        part(bytes); // the table of names
        List<KotlinConstructor> constructors = new ArrayList<>();
        fields(bytes, (field, value, part) -> {
            if (field == CONSTRUCTOR && part != null) {
                constructors.add(constructor(part));
            }
        });
        return constructors;
    }

    private static KotlinConstructor constructor(ByteBuffer bytes) {
        long[] flags = {PUBLIC};
        List<KotlinParameter> parameters = new ArrayList<>();
        fields(bytes, (field, value, part) -> {
            if (field == FLAGS) {
                flags[0] = value;
            } else if (field == PARAMETER && part != null) {
                parameters.add(parameter(part));
            }
        });
        return new KotlinConstructor((flags[0] & IS_SECONDARY) == 0, isHidden(flags[0]), List.copyOf(parameters));
    }

    private static boolean isHidden(long flags) {
        long visibility = flags & VISIBILITY;
        return visibility != INTERNAL && visibility != PUBLIC;
    }

    private static KotlinParameter parameter(ByteBuffer bytes) {
        long[] flags = {0};
        boolean[] nullable = {true}; // of a type elsewhere nothing is known
        fields(bytes, (field, value, part) -> {
            if (field == FLAGS) {
                flags[0] = value;
            } else if (field == TYPE && part != null) {
                nullable[0] = nullable(part);
            }
        });
        return new KotlinParameter((flags[0] & DECLARES_DEFAULT) != 0, nullable[0]);
    }

    private static boolean nullable(ByteBuffer bytes) {
        boolean[] nullable = {false};
        fields(bytes, (field, value, part) -> {
            if (field == NULLABLE) {
                nullable[0] = value != 0;
            }
        });
        return nullable[0];
    }

    /** Takes one field of a message: its number, and either a number or a part. */
    @FunctionalInterface
    private interface FieldConsumer {
        void accept(int field, long value, @Nullable ByteBuffer part);
    }

    private static void fields(ByteBuffer bytes, FieldConsumer consumer) {
        while (bytes.hasRemaining()) {
            long tag = varint(bytes);
            int field = (int) (tag >>> 3);
            switch ((int) (tag & 7)) {
                case VARINT -> consumer.accept(field, varint(bytes), null);
                case LENGTH_DELIMITED -> consumer.accept(field, 0, part(bytes));
                default -> throw new IllegalArgumentException("a field of an unknown kind: " + tag);
            }
        }
    }

    private static ByteBuffer part(ByteBuffer bytes) {
        int length = Math.toIntExact(varint(bytes));
        ByteBuffer part = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        return part;
    }

    private static long varint(ByteBuffer bytes) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = bytes.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number has more than 64 bits");
    }
}
