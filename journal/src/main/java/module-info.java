/** Records that outlive the process until they are done. */
@SuppressWarnings("module") // exports to a module that is built later
module io.stowline.journal {
    requires transitive org.jspecify;
    requires com.h2database.mvstore;
    requires org.slf4j;

    exports io.stowline.journal;
    exports io.stowline.journal.internal.store to
            io.stowline.client,
            io.stowline.records;
    exports io.stowline.journal.internal.spool to
            io.stowline.records;
}
