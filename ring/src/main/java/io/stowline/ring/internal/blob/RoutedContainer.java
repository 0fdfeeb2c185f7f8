package io.stowline.ring.internal.blob;

import io.stowline.blob.BlobContainer;
import io.stowline.ring.internal.place.RingMember;
import io.stowline.ring.internal.place.RingMembers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** A container that exists in all accounts of a region, and the placement of its blobs. Immutable. */
public final class RoutedContainer {

    private static final String TABLES = "table";

    private final String name;
    private final RingMembers members;
    private final String region;
    private final UnaryOperator<String> placement;
    private final Map<RingMember, BlobContainer> containers = new LinkedHashMap<>();

    /**
     * Makes a container of a ring.
     *
     * @param placement gives the placement of a blob's name
     */
    public RoutedContainer(String name, RingMembers members, String region, UnaryOperator<String> placement) {
        this.name = name;
        this.members = members;
        this.region = region;
        this.placement = placement;
        members.of(region)
                .forEach(member -> containers.put(member, member.client().container(name)));
    }

    /** Returns the container's name. */
    public String name() {
        return name;
    }

    /** Returns the region. */
    public String region() {
        return region;
    }

    /** Returns the accounts of the ring. */
    public RingMembers members() {
        return members;
    }

    /** Returns the accounts of the region in both epochs. */
    public List<RingMember> ofRegion() {
        return List.copyOf(containers.keySet());
    }

    /** Returns the container in one of the accounts. */
    public BlobContainer at(RingMember member) {
        return Objects.requireNonNull(containers.get(member), "an account of the region");
    }

    /** Returns an account after the check of the guard, which needs its tables: one without them is in no move. */
    public RingMember checked(RingMember member) {
        return member.client().endpoints().containsKey(TABLES) ? members.checked(member) : member;
    }

    /** Returns the home of a blob before the change of the ring. */
    public RingMember before(String blob) {
        return members.before(region, placement(blob));
    }

    /** Returns the home of a blob after the change of the ring, which is its home if there is none. */
    public RingMember after(String blob) {
        return members.after(region, placement(blob));
    }

    private String placement(String blob) {
        return Objects.requireNonNull(
                placement.apply(Objects.requireNonNull(blob, "name of the blob")), "the placement of a blob is null");
    }
}
