package io.stowline.table;

import io.stowline.projection.EdmType;
import io.stowline.projection.PropertyNames;
import io.stowline.table.internal.EntityCodec;
import io.stowline.table.internal.EntityOut;
import io.stowline.table.internal.FieldPrefix;
import io.stowline.table.internal.MetadataLevel;
import io.stowline.table.internal.RowReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The codec of index rows that are copies of their entities: all that the entity has, and its row key. */
final class CopyCodec<T> implements EntityCodec<T> {

    static final FieldPrefix INDEXED_ROW = FieldPrefix.of(PropertyNames.INDEXED_ROW, EdmType.STRING);

    private final EntityCodec<T> entities;
    private final @Nullable List<String> select;
    private final @Nullable String rowKey;

    private CopyCodec(EntityCodec<T> entities, @Nullable List<String> select, @Nullable String rowKey) {
        this.entities = entities;
        this.select = select;
        this.rowKey = rowKey;
    }

    /** Reads copies; their values have the row keys of their entities. */
    static <T> CopyCodec<T> of(EntityCodec<T> entities) {
        List<String> names = entities.select();
        if (names == null) {
            return new CopyCodec<>(entities, null, null);
        }
        List<String> select = new ArrayList<>(names);
        select.add(PropertyNames.INDEXED_ROW);
        return new CopyCodec<>(entities, List.copyOf(select), null);
    }

    /** Writes a copy under this row key. */
    CopyCodec<T> at(String key) {
        return new CopyCodec<>(entities, select, key);
    }

    @Override
    public String partitionKey(T value) {
        return entities.partitionKey(value);
    }

    @Override
    public String rowKey(T value) {
        return Objects.requireNonNull(rowKey, "the row key of the copy");
    }

    @Override
    public void writeProperties(T value, EntityOut out) {
        entities.writeProperties(value, out);
        out.string(INDEXED_ROW, entities.rowKey(value));
    }

    @Override
    public @Nullable List<String> select() {
        return select;
    }

    @Override
    public MetadataLevel metadataLevel() {
        return entities.metadataLevel();
    }

    @Override
    public RowReader<T> reader() {
        return entities.reader().ofEntities();
    }
}
