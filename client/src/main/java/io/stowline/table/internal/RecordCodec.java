package io.stowline.table.internal;

import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import io.stowline.projection.Filter;
import io.stowline.projection.PropertyDescriptor;
import io.stowline.projection.PropertyWriter;
import io.stowline.projection.RecordReader;
import io.stowline.projection.RecordType;
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
public final class RecordCodec<T> implements EntityCodec<T> {

    private final RecordType<T> type;
    private final FieldPrefix[] prefixes;

    /**
     * Makes the codec of a record class.
     *
     * @param type how the record maps to properties
     */
    public RecordCodec(RecordType<T> type) {
        this.type = type;
        List<PropertyDescriptor> properties = type.properties();
        this.prefixes = properties.stream()
                .map(property -> FieldPrefix.of(property.name(), property.type()))
                .toArray(FieldPrefix[]::new);
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
        return new Reader<>(type);
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

        private final RecordType<T> type;
        private final RecordReader<T> record;

        Reader(RecordType<T> type) {
            this.type = type;
            this.record = type.newReader();
        }

        @Override
        protected void partitionKey(String key) {
            record.partitionKey(key);
        }

        @Override
        protected void rowKey(String key) {
            record.rowKey(key);
        }

        @Override
        protected void typed(String property, String edmType) {
            // The record's component says how a value is read, whatever it is stored as.
        }

        @Override
        protected void property(String name, JsonToken token, JsonReader json) throws IOException {
            int index = type.indexOf(name);
            if (index < 0) {
                return;
            }
            switch (token) {
                case STRING -> record.text(index, json.getString());
                case BOOLEAN -> record.bool(index, json.getBoolean());
                case NUMBER -> number(index, json.getString());
                case NULL -> record.absent(index);
                default ->
                    throw new IOException("property " + name + " holds " + token + ", which no property type is");
            }
        }

        private void number(int index, String text) {
            if (JsonNumbers.whole(text)) {
                record.integer(index, Long.parseLong(text));
            } else {
                record.floating(index, Double.parseDouble(text));
            }
        }

        @Override
        protected T build(@Nullable Instant rowTimestamp) {
            if (rowTimestamp != null) {
                record.timestamp(rowTimestamp);
            }
            return record.build();
        }
    }
}
