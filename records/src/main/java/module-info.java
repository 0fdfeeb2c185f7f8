/** Many small records in few large blobs: none lost, none doubled. */
module io.stowline.records {
    requires transitive io.stowline.client;
    requires transitive io.stowline.journal;
    requires static micrometer.core;
    requires org.slf4j;

    exports io.stowline.records;
}
