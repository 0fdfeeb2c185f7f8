package io.stowline.system.ledger.script;

/**
 * A change that a caller wants for one entity.
 *
 * @param verb how
 * @param key which entity
 * @param value what is written, empty for a deletion
 * @param ifMatch the version that it is for, empty where it is for any
 */
public record Change(Verb verb, Key key, String value, String ifMatch) {

    /** Returns whether a request shows this change; versions are left out, as clients send them in different forms. */
    public boolean sameAs(Change other) {
        return verb == other.verb && key.equals(other.key) && value.equals(other.value);
    }

    @Override
    public String toString() {
        return verb + " " + key + (value.isEmpty() ? "" : " '" + value + "'")
                + (ifMatch.isEmpty() ? "" : " if " + ifMatch);
    }
}
