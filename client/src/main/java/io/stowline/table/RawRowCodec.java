package io.stowline.table;

import io.stowline.projection.PropertyNames;
import io.stowline.table.internal.AnyProperty;
import io.stowline.table.internal.EntityCodec;
import io.stowline.table.internal.EntityOut;
import io.stowline.table.internal.MetadataLevel;
import io.stowline.table.internal.Properties;
import io.stowline.table.internal.PropertiesReader;
import io.stowline.table.internal.RowReader;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The codec of rows as they stand in the table, with the property that makes index rows of them. */
final class RawRowCodec implements EntityCodec<RawRow> {

    static final RawRowCodec ROWS = new RawRowCodec(null);

    /** Reads no more of a row than whose it is, of which index, and how old. */
    static final RawRowCodec OWNERS = new RawRowCodec(
            List.of("PartitionKey", "RowKey", "Timestamp", PropertyNames.INDEXED_ROW, PropertyNames.INDEX));

    private final @Nullable List<String> select;

    private RawRowCodec(@Nullable List<String> select) {
        this.select = select;
    }

    @Override
    public String partitionKey(RawRow value) {
        return value.partitionKey();
    }

    @Override
    public String rowKey(RawRow value) {
        return value.rowKey();
    }

    @Override
    public void writeProperties(RawRow row, EntityOut out) {
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
    public RowReader<RawRow> reader() {
        return new Reader();
    }

    private static final class Reader extends PropertiesReader<RawRow> {
        @Override
        protected RawRow build(Properties found, @Nullable Instant rowTimestamp) {
            return new RawRow(found.partitionKey(), found.rowKey(), found.values());
        }
    }
}
