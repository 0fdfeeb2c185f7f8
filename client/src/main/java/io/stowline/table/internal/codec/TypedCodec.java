package io.stowline.table.internal.codec;

import io.stowline.projection.EntityType;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.projection.internal.scan.EntityReader;
import io.stowline.projection.internal.type.PropertyDescriptor;
import io.stowline.projection.internal.type.RowKind;
import io.stowline.projection.internal.write.PropertyWriter;
import io.stowline.table.internal.codec.AnyProperties.AnyProperty;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.json.JsonCursor;
import io.stowline.table.internal.json.JsonField;
import io.stowline.table.internal.json.JsonField.JsonFieldPrefix;
import io.stowline.table.internal.json.JsonField.JsonFieldTable;
import io.stowline.table.internal.json.JsonNumber;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The codec of a mapped Java type. It knows the types of its properties, so the service sends them for a property bag only, and for
 * components of text, which would take whatever travels as text.
 */
public final class TypedCodec<T> implements EntityCodec<T> {

    /** A component's type decides how its value is read, whatever the stored type is. */
    private static final int NOT_WANTED = -1;

    private static final String TEXT = EdmType.STRING.wireName();

    private final EntityType<T> type;
    private final JsonFieldPrefix[] prefixes;
    private final JsonFieldTable fields;
    private final boolean hasText;
    private final RowKind kind;
    private final @Nullable JsonFieldPrefix mark;

    /**
     * Makes the codec of a type.
     *
     * @param type how it maps to properties
     */
    public TypedCodec(EntityType<T> type) {
        this.type = type;
        this.kind = type.kind();
        this.mark = kind.property() == null ? null : JsonFieldPrefix.of(kind.property(), EdmType.STRING);
        List<PropertyDescriptor> properties = type.properties();
        this.prefixes = properties.stream()
                .map(property -> JsonFieldPrefix.of(property.name(), property.type()))
                .toArray(JsonFieldPrefix[]::new);
        this.fields = type.hasPropertyBag()
                ? new JsonFieldTable(this::indexWithBag, this::typeInBag)
                : new JsonFieldTable(this::indexWithMark, this::typeOfText);
        this.hasText = properties.stream().anyMatch(PropertyDescriptor::textOnly);
    }

    /** Selects only types whose values are always stored as text: all types but numbers and booleans travel as text. */
    private int typeOfText(String property) {
        int index = type.indexOf(property);
        return index >= 0 && type.properties().get(index).textOnly() ? index : NOT_WANTED;
    }

    /** The mark of the type has the index after that of the bag. */
    private int indexWithMark(String property) {
        return property.equals(kind.property()) ? prefixes.length + 1 : type.indexOf(property);
    }

    /** A property without a component has the index after the last. */
    private int indexWithBag(String property) {
        int index = indexWithMark(property);
        return index < 0 ? prefixes.length : index;
    }

    private int typeInBag(String property) {
        return indexWithMark(property) < 0 ? prefixes.length : typeOfText(property);
    }

    /** Returns the mapping of the type to properties. */
    public EntityType<T> type() {
        return type;
    }

    @Override
    public String partitionKey(T value) {
        return type.partitionKey(value);
    }

    @Override
    public String rowKey(T value) {
        return type.rowKey(value);
    }

    @Override
    public void writeProperties(T value, EntityJsonWriter out) {
        if (mark != null) {
            out.string(mark, kind.value());
        }
        type.write(value, new Out(prefixes, out, kind.property()));
    }

    @Override
    public @Nullable List<String> select() {
        return type.select();
    }

    @Override
    public int mapped() {
        List<String> select = select();
        return select == null ? type.properties().size() : select.size();
    }

    @Override
    public MetadataLevel metadataLevel() {
        return hasText || type.hasPropertyBag() ? MetadataLevel.MINIMAL : MetadataLevel.NONE;
    }

    @Override
    public MetadataLevel listLevel() {
        return type.hasEtag() ? MetadataLevel.FULL : metadataLevel();
    }

    @Override
    @SuppressWarnings("CheckReturnValue") // the check is what is wanted
    public void check(Filter filter) {
        filter.checkedFor(type);
    }

    @Override
    public FilterProperty property(String name) {
        return Filter.property(type, name);
    }

    @Override
    public Optional<Filter> rows() {
        if (kind.isAny()) {
            return Optional.empty();
        }
        String property = kind.property();
        return Optional.of(
                property == null
                        ? Filter.rowKey().startsWith(kind.prefix())
                        : Filter.property(property).equalTo(kind.value()));
    }

    @Override
    public @Nullable String mark() {
        return kind.property();
    }

    @Override
    public boolean owns(String rowKey, @Nullable Object found) {
        return kind.matches(rowKey, found);
    }

    @Override
    @SuppressWarnings("CheckReturnValue") // the check is what is wanted
    public void checkKey(String rowKey) {
        kind.checkedKey(rowKey, type.javaType());
    }

    @Override
    public String typeName(@Nullable T value) {
        return type.javaType().getSimpleName();
    }

    @Override
    public RowReader<T> reader() {
        return new Reader<>(type, fields);
    }

    private static final class Out implements PropertyWriter {

        private final JsonFieldPrefix[] prefixes;
        private final EntityJsonWriter out;
        private final @Nullable String mark;

        Out(JsonFieldPrefix[] prefixes, EntityJsonWriter out, @Nullable String mark) {
            this.prefixes = prefixes;
            this.out = out;
            this.mark = mark;
        }

        @Override
        public void string(int index, String value) {
            out.string(prefixes[index], value);
        }

        @Override
        public void bool(int index, boolean value) {
            out.bool(prefixes[index], value);
        }

        @Override
        public void int32(int index, int value) {
            out.int32(prefixes[index], value);
        }

        @Override
        public void int64(int index, long value) {
            out.int64(prefixes[index], value);
        }

        @Override
        public void doubleValue(int index, double value) {
            out.doubleValue(prefixes[index], value);
        }

        @Override
        public void dateTime(int index, Instant value) {
            out.dateTime(prefixes[index], value);
        }

        @Override
        public void guid(int index, UUID value) {
            out.guid(prefixes[index], value);
        }

        @Override
        public void binary(int index, byte[] value) {
            out.binary(prefixes[index], value);
        }

        @Override
        public void other(String name, Object value) {
            if (name.equals(mark)) {
                throw new IllegalArgumentException(
                        "property " + name + " of the property bag is written by the @Discriminator of the type");
            }
            AnyProperty.write(name, value, out);
        }
    }

    private static final class Reader<T> extends FieldReader<T> {

        private final EntityType<T> type;
        private final EntityReader<T> record;
        private final int bag;
        private final boolean withBag;
        private final AnyProperties others = new AnyProperties();
        private String rowKey = "";
        private @Nullable String mark;

        Reader(EntityType<T> type, JsonFieldTable fields) {
            super(fields);
            this.type = type;
            this.record = type.newReader();
            this.bag = type.properties().size();
            this.withBag = type.hasPropertyBag();
        }

        @Override
        public void partitionKey(String key) {
            record.partitionKey(key);
        }

        @Override
        public void rowKey(String key) {
            rowKey = key;
            record.rowKey(key);
        }

        @Override
        public void typed(JsonField field, String type) throws IOException {
            if (field.index() == bag) {
                others.typed(field.property(), type);
            } else if (!type.equals(TEXT)) {
                throw new PropertyConversionException(
                        field.property(),
                        "a value of " + type,
                        "text, for it would be written back as text" + way(type),
                        null);
            }
        }

        private static String way(String type) {
            return EdmType.ofWireName(type) == null
                    ? ", and no such type is known"
                    : "; the component needs a type that is stored as " + type + ", or a converter";
        }

        @Override
        public void property(JsonField field, JsonCursor.JsonShape kind, JsonCursor json) throws IOException {
            int index = field.index();
            if (index == bag) {
                others.property(field.property(), kind, json);
                return;
            }
            if (index > bag) {
                mark = json.scalar();
                return;
            }
            switch (kind) {
                case STRING -> record.text(index, json.string());
                case BOOLEAN -> record.bool(index, json.bool());
                case NUMBER -> number(index, json.number());
                case NULL -> {
                    json.skip();
                    record.absent(index);
                }
                default ->
                    throw new PropertyConversionException(
                            field.property(), kind.toString(), "any type of the service", null);
            }
        }

        private void number(int index, JsonNumber number) throws IOException {
            if (number.isIntegral()) {
                record.integer(index, number.integer());
            } else {
                record.floating(index, number.floating());
            }
        }

        /** At the end: an index row has the key of its entity behind its own. */
        private void checkKind() {
            RowKind kind = type.kind();
            if (kind.isAny()) {
                return;
            }
            String property = kind.property();
            String found = mark;
            mark = null;
            if (!kind.matches(rowKey, found)) {
                throw property == null
                        ? new PropertyConversionException(
                                PropertyNames.ROW_KEY,
                                rowKey,
                                "that of a row of " + words() + " \"" + kind.prefix() + "\"",
                                null)
                        : new PropertyConversionException(
                                property,
                                String.valueOf(found),
                                "the mark of " + words() + " \"" + kind.value() + "\"",
                                null);
            }
        }

        private String words() {
            return type.javaType().getSimpleName() + ",";
        }

        @Override
        public T build(@Nullable String rowEtag, @Nullable Instant rowTimestamp) {
            checkKind();
            if (rowTimestamp != null) {
                record.timestamp(rowTimestamp);
            }
            if (rowEtag != null) {
                record.etag(rowEtag);
            }
            if (withBag) {
                Map<String, Object> rest = others.take();
                checkIndex(rest);
                record.others(rest);
            }
            return record.build();
        }
    }
}
