package io.stowline.journal;

/** The durability of a record: when it counts as being on disk. */
public enum Durability {
    /**
     * When the operating system has it: it survives the end of the process, {@code kill -9} included. A crash of the machine or a power cut
     * may take the records of the last seconds with it.
     */
    PROCESS,
    /** When the disk has confirmed it ({@code fsync}, once for all records that were waiting): it survives a crash of the machine, too. */
    MACHINE
}
