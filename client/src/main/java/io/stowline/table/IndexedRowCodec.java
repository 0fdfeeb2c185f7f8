package io.stowline.table;

import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.table.internal.codec.AnyProperties.AnyProperty;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.codec.EntityJsonWriter;
import io.stowline.table.internal.codec.PropertiesReader;
import io.stowline.table.internal.codec.PropertiesReader.RowProperties;
import io.stowline.table.internal.codec.RowReader;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The codec of rows as they stand in the table, with the property that makes index rows of them. */
final class IndexedRowCodec implements EntityCodec<IndexedRow> {

    static final IndexedRowCodec ROWS = new IndexedRowCodec(null);

    /** Reads no more of a row than whose it is, of which index, and how old. */
    static final IndexedRowCodec OWNERS = new IndexedRowCodec(
            List.of("PartitionKey", "RowKey", "Timestamp", PropertyNames.INDEXED_ROW, PropertyNames.INDEX));

    private final @Nullable List<String> select;

    private IndexedRowCodec(@Nullable List<String> select) {
        this.select = select;
    }

    @Override
    public String partitionKey(IndexedRow value) {
        return value.partitionKey();
    }

    @Override
    public String rowKey(IndexedRow value) {
        return value.rowKey();
    }

    @Override
    public void writeProperties(IndexedRow row, EntityJsonWriter out) {
        row.values().forEach((name, value) -> AnyProperty.write(name, value, out));
    }

    @Override
    public @Nullable List<String> select() {
        return select;
    }

    @Override
    public MetadataLevel metadataLevel() {
        return MetadataLevel.MINIMAL;
    }

    @Override
    public RowReader<IndexedRow> reader() {
        return new Reader();
    }

    private static final class Reader extends PropertiesReader<IndexedRow> {
        @Override
        protected IndexedRow build(RowProperties found, @Nullable Instant rowTimestamp) {
            return new IndexedRow(found.partitionKey(), found.rowKey(), found.values());
        }
    }
}
