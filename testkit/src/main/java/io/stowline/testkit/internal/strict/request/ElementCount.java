package io.stowline.testkit.internal.strict.request;

import java.util.Set;

/** A counter of the elements of some names in an XML document. */
public final class ElementCount implements XmlReader.Listener {

    private final Set<String> names;
    private int number;

    private ElementCount(Set<String> names) {
        this.names = names;
    }

    public static ElementCount of(Bytes body, String... names) {
        ElementCount count = new ElementCount(Set.of(names));
        XmlReader.read(body, count);
        return count;
    }

    public int number() {
        return number;
    }

    @Override
    public void started(String name) {
        number += names.contains(name) ? 1 : 0;
    }
}
