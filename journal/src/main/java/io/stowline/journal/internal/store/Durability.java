package io.stowline.journal.internal.store;

import io.stowline.journal.JournalSettings;

/** The durability of a record: when it counts as being on disk. */
enum Durability {
    /** The operating system has it. */
    PROCESS,
    /** The disk has confirmed it. */
    MACHINE;

    static Durability of(JournalSettings settings) {
        return settings.fsync() ? MACHINE : PROCESS;
    }
}
