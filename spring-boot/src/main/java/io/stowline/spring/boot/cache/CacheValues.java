package io.stowline.spring.boot.cache;

import com.azure.core.util.serializer.ObjectSerializer;
import com.azure.core.util.serializer.TypeReference;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.json.JsonMapper;

/** The form of values in the rows of caches. */
interface CacheValues {

    /** The class without which there is no mapping of Jackson 3. */
    String JACKSON = "tools.jackson.databind.json.JsonMapper";

    byte[] write(Object value);

    @Nullable
    Object read(byte[] bytes, Type type);

    /** Returns the form that an application's serializer makes. */
    static CacheValues of(ObjectSerializer serializer) {
        return new CacheValues() {
            @Override
            public byte[] write(Object value) {
                return serializer.serializeToBytes(value);
            }

            @Override
            public @Nullable Object read(byte[] bytes, Type type) {
                return serializer.deserializeFromBytes(bytes, new TypeReference<Object>() {
                    @Override
                    public Type getJavaType() {
                        return type;
                    }
                });
            }
        };
    }

    /**
     * Returns JSON by the standard mapper of Jackson 3.
     *
     * @throws IllegalStateException if Jackson 3 is absent
     */
    static CacheValues standard() {
        if (!ClassUtils.isPresent(JACKSON, CacheValues.class.getClassLoader())) {
            throw new IllegalStateException(missing());
        }
        return JsonValues.standard();
    }

    static String missing() {
        return "Values of caches are JSON, and neither " + JACKSON
                + " is on the class path nor a serializer given: add spring-boot-starter-jackson, or a bean of type "
                + ObjectSerializer.class.getName();
    }

    /** JSON by a mapper of Jackson 3; apart, since Jackson may be absent. */
    record JsonValues(JsonMapper mapper) implements CacheValues {

        static JsonValues standard() {
            return new JsonValues(JsonMapper.shared());
        }

        @Override
        public byte[] write(Object value) {
            return mapper.writeValueAsBytes(value);
        }

        @Override
        public @Nullable Object read(byte[] bytes, Type type) {
            return mapper.readValue(bytes, mapper.constructType(type));
        }
    }
}
