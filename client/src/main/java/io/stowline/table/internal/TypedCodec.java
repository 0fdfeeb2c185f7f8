package io.stowline.table.internal;

import io.stowline.projection.EntityReader;
import io.stowline.projection.EntityType;
import io.stowline.projection.Filter;
import io.stowline.projection.PropertyDescriptor;
import io.stowline.projection.PropertyWriter;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The codec of a Java record. The record knows the types, so the service need not send them.
 *
 * @param <T> the record
 */
public final class TypedCodec<T> implements EntityCodec<T> {

    /** A record's component says how a value is read, whatever it is stored as. */
    private static final int NOT_WANTED = -1;

    private final EntityType<T> type;
    private final FieldPrefix[] prefixes;
    private final FieldTable fields;

    /**
     * Makes the codec of a record class.
     *
     * @param type how the record maps to properties
     */
    public TypedCodec(EntityType<T> type) {
        this.type = type;
        List<PropertyDescriptor> properties = type.properties();
        this.prefixes = properties.stream()
                .map(property -> FieldPrefix.of(property.name(), property.type()))
                .toArray(FieldPrefix[]::new);
        this.fields = new FieldTable(type::indexOf, property -> NOT_WANTED);
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
    public void writeProperties(T value, EntityOut out) {
        type.write(value, new Out(prefixes, out));
    }

    @Override
    public List<String> select() {
        return type.select();
    }

    @Override
    public MetadataLevel metadataLevel() {
        return MetadataLevel.NONE;
    }

    @Override
    @SuppressWarnings("CheckReturnValue") // the check is what is wanted
    public void check(Filter filter) {
        filter.checkedFor(type);
    }

    @Override
    public RowReader<T> reader() {
        return new Reader<>(type, fields);
    }

    private static final class Out implements PropertyWriter {

        private final FieldPrefix[] prefixes;
        private final EntityOut out;

        Out(FieldPrefix[] prefixes, EntityOut out) {
            this.prefixes = prefixes;
            this.out = out;
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
    }

    private static final class Reader<T> extends RowReader<T> {

        private final EntityReader<T> record;

        Reader(EntityType<T> type, FieldTable fields) {
            super(fields);
            this.record = type.newReader();
        }

        @Override
        void partitionKey(String key) {
            record.partitionKey(key);
        }

        @Override
        void rowKey(String key) {
            record.rowKey(key);
        }

        @Override
        void property(Field field, JsonCursor.Kind kind, JsonCursor json) throws IOException {
            int index = field.index();
            switch (kind) {
                case STRING -> record.text(index, json.string());
                case BOOLEAN -> record.bool(index, json.bool());
                case NUMBER -> number(index, json.number());
                case NULL -> {
                    json.skip();
                    record.absent(index);
                }
                default ->
                    throw new IOException(
                            "property " + field.property() + " holds " + kind + ", which no property type is");
            }
        }

        private void number(int index, JsonNumber number) {
            if (number.whole()) {
                record.integer(index, number.integer());
            } else {
                record.floating(index, number.floating());
            }
        }

        @Override
        T build(@Nullable Instant rowTimestamp) {
            if (rowTimestamp != null) {
                record.timestamp(rowTimestamp);
            }
            return record.build();
        }
    }
}
