package io.stowline.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.projection.internal.scan.EntityReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Classes as Kotlin's compiler makes them: a Java class whose extra constructor is marked synthetic in its bytes. */
class KotlinClassTest {

    private static final int SYNTHETIC = 0x1000;

    /** Java's own: which constructor has the components is not known. */
    @SuppressWarnings("unused") // read by the mapping
    public static final class Bean {
        private final String race;

        public Bean() {
            this("");
        }

        public Bean(@PartitionKey String race) {
            this.race = race;
        }
    }

    private static Class<?> compiledByKotlin(Class<?> original) throws IOException, ClassNotFoundException {
        byte[] bytes;
        try (InputStream in = original.getResourceAsStream(
                original.getName().substring(original.getPackageName().length() + 1) + ".class")) {
            bytes = marked(in.readAllBytes());
        }
        ClassLoader loader = new ClassLoader(original.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                return name.equals(original.getName())
                        ? defineClass(name, bytes, 0, bytes.length)
                        : super.loadClass(name, resolve);
            }
        };
        return loader.loadClass(original.getName());
    }

    /** Marks the constructors that take a marker as synthetic. */
    private static byte[] marked(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(result);
        out.write(in.readNBytes(8));
        Map<Integer, String> texts = constants(in, out);
        out.write(in.readNBytes(6));
        int interfaces = in.readUnsignedShort();
        out.writeShort(interfaces);
        out.write(in.readNBytes(2 * interfaces));
        members(in, out, texts); // fields
        members(in, out, texts); // methods
        out.write(in.readAllBytes());
        return result.toByteArray();
    }

    private static Map<Integer, String> constants(DataInputStream in, DataOutputStream out) throws IOException {
        Map<Integer, String> texts = new HashMap<>();
        int count = in.readUnsignedShort();
        out.writeShort(count);
        for (int index = 1; index < count; index++) {
            int tag = in.readUnsignedByte();
            out.writeByte(tag);
            switch (tag) {
                case 1 -> {
                    String text = in.readUTF();
                    out.writeUTF(text);
                    texts.put(index, text);
                }
                case 3, 4, 9, 10, 11, 12, 17, 18 -> out.write(in.readNBytes(4));
                case 5, 6 -> {
                    out.write(in.readNBytes(8));
                    index++;
                }
                case 7, 8, 16, 19, 20 -> out.write(in.readNBytes(2));
                case 15 -> out.write(in.readNBytes(3));
                default -> throw new IOException("constant " + tag);
            }
        }
        return texts;
    }

    private static void members(DataInputStream in, DataOutputStream out, Map<Integer, String> texts)
            throws IOException {
        int count = in.readUnsignedShort();
        out.writeShort(count);
        for (int member = 0; member < count; member++) {
            int access = in.readUnsignedShort();
            int name = in.readUnsignedShort();
            int descriptor = in.readUnsignedShort();
            boolean added = texts.getOrDefault(descriptor, "").contains("DefaultConstructorMarker;)");
            out.writeShort(added ? access | SYNTHETIC : access);
            out.writeShort(name);
            out.writeShort(descriptor);
            int attributes = in.readUnsignedShort();
            out.writeShort(attributes);
            for (int attribute = 0; attribute < attributes; attribute++) {
                out.writeShort(in.readUnsignedShort());
                int length = in.readInt();
                out.writeInt(length);
                out.write(in.readNBytes(length));
            }
        }
    }

    @Test
    @DisplayName("MAP-2: a Kotlin data class with default arguments is mapped by its declared constructor")
    void defaultArguments() throws Exception {
        Class<?> runner = compiledByKotlin(KotlinRunner.class);
        assertThat(runner.getConstructors())
                .filteredOn(Constructor::isSynthetic)
                .hasSize(1);

        EntityType<?> type = EntityType.of(runner);

        assertThat(type.hasKeys()).isTrue();
        assertThat(type.select()).containsExactlyInAnyOrder("PartitionKey", "RowKey", "age");
    }

    @Test
    @DisplayName("MAP-2: if all arguments have defaults, the constructor that takes nothing is not the one")
    void onlyDefaultArguments() throws Exception {
        Class<?> start = compiledByKotlin(KotlinStart.class);
        assertThat(Arrays.stream(start.getConstructors())).hasSize(3);

        assertThat(EntityType.of(start).hasKeys()).isTrue();
    }

    private static Object read(Class<?> type, Mapping mapping, Map<String, Long> properties) {
        EntityType<?> mapped = EntityType.of(type, mapping);
        EntityReader<?> reader = mapped.newReader();
        reader.partitionKey("2026");
        reader.rowKey("0001");
        properties.forEach((name, value) -> reader.integer(mapped.indexOf(name), value));
        return reader.build();
    }

    @Test
    @DisplayName(
            "MAP-2: without metadata a missing reference takes its default argument, and a missing primitive is refused")
    void defaultsWithoutMetadata() throws Exception {
        Class<?> start = compiledByKotlin(KotlinStart.class);
        EntityReader<?> reader = EntityType.of(start).newReader();
        reader.partitionKey("2026");

        assertThat(reader.build()).hasFieldOrPropertyWithValue("race", "2026").hasFieldOrPropertyWithValue("bib", "");
        Class<?> runner = compiledByKotlin(KotlinRunner.class);
        assertThat(read(runner, Mapping.standard(), Map.of("age", 41L))).hasFieldOrPropertyWithValue("age", 41);
        assertThat(read(runner, Mapping.builder().zeroForMissing().build(), Map.of()))
                .hasFieldOrPropertyWithValue("age", 0);
        assertThatExceptionOfType(PropertyConversionException.class)
                .isThrownBy(() -> read(runner, Mapping.standard(), Map.of()))
                .withMessageContaining("property age is missing")
                .withMessageContaining("default argument");
    }

    @Test
    @DisplayName("MAP-2: a Java class with a second constructor that takes nothing is still refused")
    void notForBeans() {
        assertThatExceptionOfType(UnmappableTypeException.class)
                .isThrownBy(() -> EntityType.of(Bean.class))
                .withMessageContaining("has 2 public constructors");
    }
}
