package io.stowline.spring.boot.autoconfigure;

/** The events that an accepted operation survives: the values of the property {@code stowline.journal.durability}. */
public enum JournalDurability {

    /** The end of the process. */
    PROCESS,

    /** A crash of the machine. */
    MACHINE
}
