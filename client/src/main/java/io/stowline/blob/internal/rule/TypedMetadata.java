package io.stowline.blob.internal.rule;

import io.stowline.projection.EntityType;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.type.PropertyDescriptor;
import io.stowline.projection.internal.write.PropertyWriter;
import io.stowline.transport.internal.outcome.MetadataRules;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Metadata as a record, by the rules for the properties of entities: each component is a name, and its value is text. The case of
 * names does not count. Stateless.
 */
public final class TypedMetadata {

    private TypedMetadata() {}

    /**
     * Returns the metadata of a record.
     *
     * @return names and values, checked
     * @throws IllegalArgumentException if the type has keys or a bag of properties, or the names or values cannot be metadata
     */
    public static Map<String, String> of(Object value) {
        Objects.requireNonNull(value, "metadata");
        return written(value, value.getClass());
    }

    @SuppressWarnings("unchecked") // the class of the value
    private static <T> Map<String, String> written(Object value, Class<T> type) {
        EntityType<T> mapped = mapped(type);
        Texts texts = new Texts(mapped.properties());
        mapped.write((T) value, texts);
        return MetadataRules.check(texts.found);
    }

    private static <T> EntityType<T> mapped(Class<T> type) {
        EntityType<T> mapped = EntityType.of(type);
        if (mapped.hasKeys() || mapped.hasTimestamp() || mapped.hasEtag() || mapped.hasPropertyBag()) {
            throw new IllegalArgumentException(type.getName()
                    + " has keys, a timestamp, an ETag or a bag of properties, which metadata do not have");
        }
        return mapped;
    }

    /**
     * Returns a record of metadata.
     *
     * @param metadata names in any case, and values
     * @throws PropertyConversionException if a value is not of its component's type, or is missing
     */
    public static <T> T read(Map<String, String> metadata, Class<T> type) {
        EntityType<T> mapped = mapped(type);
        Map<String, String> found = new LinkedHashMap<>();
        metadata.forEach((name, value) -> found.put(name.toLowerCase(Locale.ROOT), value));
        EntityReader<T> reader = mapped.newReader();
        List<PropertyDescriptor> properties = mapped.properties();
        for (int i = 0; i < properties.size(); i++) {
            PropertyDescriptor property = properties.get(i);
            String text = found.get(property.name().toLowerCase(Locale.ROOT));
            if (text != null) {
                put(reader, i, property, text);
            }
        }
        return reader.build();
    }

    private static void put(EntityReader<?> reader, int index, PropertyDescriptor property, String text) {
        if (property.type() == EdmType.BOOLEAN) {
            reader.bool(index, bool(property, text));
        } else if (property.type() == EdmType.DOUBLE) {
            reader.floating(index, number(property, text));
        } else {
            reader.text(index, text);
        }
    }

    private static boolean bool(PropertyDescriptor property, String text) {
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return Boolean.parseBoolean(text);
        }
        throw new PropertyConversionException(property.name(), text, "boolean", null);
    }

    private static double number(PropertyDescriptor property, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new PropertyConversionException(property.name(), text, "double", e);
        }
    }

    /** A writer that collects the texts of one value. */
    private record Texts(List<PropertyDescriptor> properties, Map<String, String> found) implements PropertyWriter {

        Texts(List<PropertyDescriptor> properties) {
            this(properties, new LinkedHashMap<>());
        }

        @Override
        public void string(int index, String value) {
            found.put(properties.get(index).name(), value);
        }

        @Override
        public void bool(int index, boolean value) {
            string(index, Boolean.toString(value));
        }

        @Override
        public void int32(int index, int value) {
            string(index, Integer.toString(value));
        }

        @Override
        public void int64(int index, long value) {
            string(index, Long.toString(value));
        }

        @Override
        public void doubleValue(int index, double value) {
            string(index, Double.toString(value));
        }

        @Override
        public void dateTime(int index, Instant value) {
            string(index, EdmDateTime.format(value));
        }

        @Override
        public void guid(int index, UUID value) {
            string(index, value.toString());
        }

        @Override
        public void binary(int index, byte[] value) {
            string(index, Base64.getEncoder().encodeToString(value));
        }

        @Override
        public void other(String name, Object value) {
            throw new IllegalStateException("a type without a bag has the property " + name);
        }
    }
}
