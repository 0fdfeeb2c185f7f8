package io.stowline.table;

import io.stowline.projection.EdmType;
import io.stowline.table.internal.EntityCodec;
import io.stowline.table.internal.EntityOut;
import io.stowline.table.internal.FieldPrefix;
import io.stowline.table.internal.MetadataLevel;
import io.stowline.table.internal.Properties;
import io.stowline.table.internal.PropertiesReader;
import io.stowline.table.internal.RowReader;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The codec of entities whose properties are not known before. The service has to send their types along. */
final class EntityObjectCodec implements EntityCodec<Entity> {

    private final @Nullable List<String> select;

    EntityObjectCodec(@Nullable List<String> select) {
        this.select = select;
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
    public void writeProperties(Entity entity, EntityOut out) {
        entity.properties().forEach((name, value) -> write(name, value, out));
    }

    private static void write(String name, Object value, EntityOut out) {
        EdmType type = EdmType.of(value);
        if (type == null) {
            throw new IllegalArgumentException(
                    "property " + name + " cannot be written back: the service's type of it is unknown");
        }
        FieldPrefix prefix = FieldPrefix.of(name, type);
        switch (type) {
            case STRING -> out.string(prefix, (String) value);
            case BOOLEAN -> out.bool(prefix, (Boolean) value);
            case INT32 -> out.int32(prefix, (Integer) value);
            case INT64 -> out.int64(prefix, (Long) value);
            case DOUBLE -> out.doubleValue(prefix, (Double) value);
            case DATETIME -> out.dateTime(prefix, (Instant) value);
            case GUID -> out.guid(prefix, (UUID) value);
            case BINARY -> out.binary(prefix, (byte[]) value);
        }
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
    public RowReader<Entity> reader() {
        return new Reader();
    }

    private static final class Reader extends PropertiesReader<Entity> {
        @Override
        protected Entity build(Properties found, @Nullable Instant rowTimestamp) {
            return Entity.read(found.partitionKey(), found.rowKey(), found.values(), rowTimestamp);
        }
    }
}
