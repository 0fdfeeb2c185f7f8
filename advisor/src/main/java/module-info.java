/** The checklists of the proven practices, ticked from the traffic of a running application. */
module io.stowline.advisor {
    requires transitive io.stowline.client;
    requires org.slf4j;

    exports io.stowline.advisor;
}
