package io.stowline.system.ledger.script;

/** The keys of an entity. */
public record Key(String partition, String row) {

    /** Returns the key in a text of {@link #toString}. */
    public static Key of(String text) {
        int slash = text.indexOf('/');
        return new Key(text.substring(0, slash), text.substring(slash + 1));
    }

    @Override
    public String toString() {
        return partition + "/" + row;
    }
}
