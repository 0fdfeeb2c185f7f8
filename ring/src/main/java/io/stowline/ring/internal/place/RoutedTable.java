package io.stowline.ring.internal.place;

import io.stowline.table.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A table that exists in all accounts of a region, and the placement of its partitions. Immutable.
 *
 * @param <T> the table's type
 */
public final class RoutedTable<T> {

    private final String name;
    private final RingMembers members;
    private final String region;
    private final UnaryOperator<String> placement;
    private final Map<RingMember, Table<T>> tables = new LinkedHashMap<>();

    /**
     * Makes a table of a ring.
     *
     * @param placement gives the placement of a partition key
     */
    public RoutedTable(
            String name, Class<T> type, RingMembers members, String region, UnaryOperator<String> placement) {
        this.name = name;
        this.members = members;
        this.region = region;
        this.placement = placement;
        members.of(region).forEach(member -> tables.put(member, member.client().table(name, type)));
    }

    private RoutedTable(RoutedTable<T> table, UnaryOperator<Table<T>> view) {
        this.name = table.name;
        this.members = table.members;
        this.region = table.region;
        this.placement = table.placement;
        table.tables.forEach((member, own) -> tables.put(member, view.apply(own)));
    }

    /** Returns this table with another view of the table of each account. */
    public RoutedTable<T> withView(UnaryOperator<Table<T>> view) {
        return new RoutedTable<>(this, view);
    }

    /** Returns this table as another type. */
    public <R> RoutedTable<R> as(Class<R> type) {
        return new RoutedTable<>(name, type, members, region, placement);
    }

    /** Returns the region. */
    public String region() {
        return region;
    }

    /** Returns the table's name. */
    public String name() {
        return name;
    }

    /** Returns the accounts of the ring. */
    public RingMembers members() {
        return members;
    }

    /** Returns the accounts of the region in both epochs. */
    public List<RingMember> ofRegion() {
        return List.copyOf(tables.keySet());
    }

    /** Returns the table in one of the accounts, after the check of the guard. */
    public Table<T> at(RingMember member) {
        return unchecked(members.checked(member));
    }

    /** Returns the table in one of the accounts, for a mover and for operations that were checked before. */
    public Table<T> unchecked(RingMember member) {
        return Objects.requireNonNull(tables.get(member), "an account of the region");
    }

    /** Returns the table in any account, for what sends nothing. */
    public Table<T> any() {
        return tables.values().iterator().next();
    }

    /** Returns the accounts of the region in both epochs, after the check of the guard: for work in all of them. */
    public List<RingMember> checked() {
        return ofRegion().stream().map(members::checked).toList();
    }

    /** Returns the home of a partition before the change of the ring. */
    public RingMember before(String partitionKey) {
        return members.before(region, placement(partitionKey));
    }

    /** Returns the home of a partition after the change of the ring, which is its home if there is none. */
    public RingMember after(String partitionKey) {
        return members.after(region, placement(partitionKey));
    }

    private String placement(String partitionKey) {
        return Objects.requireNonNull(
                placement.apply(Objects.requireNonNull(partitionKey, "partitionKey")),
                "the placement of a partition key is null");
    }
}
