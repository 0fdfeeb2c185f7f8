package io.stowline.transport.internal.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** The prefixes of a listing over several of them. Stateless. */
public final class NamePrefixes {

    private NamePrefixes() {}

    /**
     * Returns the prefixes that do not begin with another one, in their order: names of one come before those of the next.
     *
     * @param prefixes in any order
     */
    public static List<String> disjoint(Collection<String> prefixes) {
        List<String> disjoint = new ArrayList<>();
        for (String prefix : new TreeSet<>(Objects.requireNonNull(prefixes, "prefixes"))) {
            if (disjoint.isEmpty() || !prefix.startsWith(disjoint.get(disjoint.size() - 1))) {
                disjoint.add(prefix);
            }
        }
        return disjoint;
    }
}
