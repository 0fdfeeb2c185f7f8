package io.stowline.table.internal.codec;

import io.stowline.projection.filter.Filter;
import io.stowline.projection.filter.FilterProperty;
import io.stowline.table.Entity;
import io.stowline.table.internal.codec.AnyProperties.AnyProperty;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.codec.PropertiesReader.RowProperties;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The codec of entities whose properties are not known before. The service has to send their types along. */
public record EntityObjectCodec(@Nullable List<String> select) implements EntityCodec<Entity> {

    @Override
    public int mapped() {
        return 0;
    }

    @Override
    public String partitionKey(Entity value) {
        return value.partitionKey();
    }

    @Override
    public String rowKey(Entity value) {
        return value.rowKey();
    }

    @Override
    public void writeProperties(Entity entity, EntityJsonWriter out) {
        entity.properties().forEach((name, value) -> AnyProperty.write(name, value, out));
    }

    @Override
    public MetadataLevel metadataLevel() {
        return MetadataLevel.MINIMAL;
    }

    @Override
    public FilterProperty property(String name) {
        return switch (name) {
            case "PartitionKey" -> Filter.partitionKey();
            case "RowKey" -> Filter.rowKey();
            case "Timestamp" -> Filter.timestamp();
            default -> Filter.property(name);
        };
    }

    @Override
    public String typeName(@Nullable Entity value) {
        return "Entity";
    }

    @Override
    public RowReader<Entity> reader() {
        return new Reader(false);
    }

    /** Returns a reader of rows that other programs may have written: it refuses one with a key or a property twice. */
    public static RowReader<Entity> uniqueReader() {
        return new Reader(true);
    }

    private static final class Reader extends PropertiesReader<Entity> {

        Reader(boolean unique) {
            super(unique);
        }

        @Override
        protected Entity build(RowProperties found, @Nullable Instant rowTimestamp) {
            return Entity.read(found.partitionKey(), found.rowKey(), found.values(), rowTimestamp);
        }
    }
}
