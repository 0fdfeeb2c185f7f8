/** Azurite for JUnit and for plain programs. */
module io.stowline.testkit {
    requires transitive org.jspecify;
    requires static transitive org.junit.jupiter.api;
    requires org.slf4j;

    exports io.stowline.testkit;
}
