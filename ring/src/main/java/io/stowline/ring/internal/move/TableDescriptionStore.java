package io.stowline.ring.internal.move;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RingMembers;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** {@link DescriptionStore} in a table of each account. Thread-safe. */
public final class TableDescriptionStore implements DescriptionStore {

    /** The table of each account that holds the description. */
    public static final String TABLE = "stowlinering";

    private static final String PARTITION = "ring";
    private static final String ROW = "description";
    private static final String POSITION = "position";

    private final Map<String, RingMember> members = new TreeMap<>();

    public TableDescriptionStore(RingMembers members) {
        members.all().forEach(member -> this.members.put(member.name(), member));
    }

    @Override
    public List<String> accounts() {
        return List.copyOf(members.keySet());
    }

    @Override
    public @Nullable RingDescription read(String account) {
        RingMember member = member(account);
        return member.call(() -> found(table(member), ROW))
                .map(TableDescriptionStore::decoded)
                .orElse(null);
    }

    private static RingDescription decoded(StoredEntity<Entity> stored) {
        Entity row = stored.value();
        return new RingDescription(
                text(row, "before"),
                text(row, "after"),
                RingPhase.valueOf(text(row, "phase")),
                number(row, "term"),
                RingEpoch.valueOf(text(row, "target")),
                number(row, "since"),
                text(row, "mover"),
                stored.etag());
    }

    private static String text(Entity row, String name) {
        return Objects.requireNonNull(row.get(name, String.class), name);
    }

    private static long number(Entity row, String name) {
        return Objects.requireNonNull(row.get(name, Long.class), name);
    }

    @Override
    public boolean write(String account, RingDescription description, @Nullable String etag) {
        Entity row = Entity.builder(PARTITION, ROW)
                .set("before", description.before())
                .set("after", description.after())
                .set("phase", description.phase().name())
                .set("term", description.term())
                .set("target", description.target().name())
                .set("since", description.since())
                .set("mover", description.mover())
                .build();
        RingMember member = member(account);
        return member.call(() -> written(table(member), row, etag));
    }

    private static boolean written(Table<Entity> table, Entity row, @Nullable String etag) {
        try {
            if (etag == null) {
                table.createIfMissing();
                table.insert(row);
            } else {
                table.replace(StoredEntity.of(row, etag));
            }
            return true;
        } catch (ConflictException | PreconditionFailedException | NotFoundException | OutcomeUnknownException e) {
            return false;
        }
    }

    @Override
    public @Nullable String position(String key) {
        RingMember head = head();
        return head.call(() -> found(table(head), key))
                .map(stored -> text(stored.value(), POSITION))
                .orElse(null);
    }

    @Override
    public void keepPosition(String key, String position) {
        RingMember head = head();
        Entity row = Entity.builder(PARTITION, key).set(POSITION, position).build();
        head.call(() -> table(head).insertOrReplace(row));
    }

    private static Optional<StoredEntity<Entity>> found(Table<Entity> table, String row) {
        try {
            return table.find(PARTITION, row);
        } catch (NotFoundException e) {
            // without the table
            return Optional.empty();
        }
    }

    private RingMember head() {
        return members.values().iterator().next();
    }

    private RingMember member(String account) {
        return Objects.requireNonNull(members.get(account), account);
    }

    private static Table<Entity> table(RingMember member) {
        return member.client().table(TABLE);
    }
}
