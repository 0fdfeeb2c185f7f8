/** Records that outlive the process until they are done. */
module io.stowline.journal {
    requires transitive org.jspecify;
    requires com.h2database.mvstore;
    requires org.slf4j;

    exports io.stowline.journal;
}
