package io.stowline.system.ledger.script;

/**
 * What is to become of one entity.
 *
 * @param verb how
 * @param key which entity
 * @param value what is written, empty for a deletion
 * @param ifMatch the version that it is for, empty where it is for any
 */
public record Change(Verb verb, Key key, String value, String ifMatch) {

    /** Whether a request shows this change; versions are left out, for not every client sends them in one form. */
    public boolean sameAs(Change other) {
        return verb == other.verb && key.equals(other.key) && value.equals(other.value);
    }

    @Override
    public String toString() {
        return verb + " " + key + (value.isEmpty() ? "" : " '" + value + "'")
                + (ifMatch.isEmpty() ? "" : " if " + ifMatch);
    }
}
