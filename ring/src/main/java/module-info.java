/** Several storage accounts as one: placement by weighted rendezvous hashing. */
module io.stowline.ring {
    requires transitive io.stowline.client;

    exports io.stowline.ring;
}
