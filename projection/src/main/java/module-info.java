/** Java types to properties: records, filters and keys. */
module io.stowline.projection {
    requires transitive org.jspecify;

    exports io.stowline.projection;
}
