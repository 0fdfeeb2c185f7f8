package io.stowline.batching;

import org.jspecify.annotations.Nullable;

/** What the tests send: an entity, a size and a number that tells items apart. */
record Item(String entity, int size, int id) {

    static Item of(String entity) {
        return new Item(entity, 10, 0);
    }

    static Item of(String entity, int id) {
        return new Item(entity, 10, id);
    }

    /** Sizes as given; merges items of the same entity when both ids are even, into the later one. */
    static final class Descriptor implements BatchDescriptor<Item> {

        @Override
        public Object entity(Item item) {
            return item.entity();
        }

        @Override
        public int size(Item item) {
            return item.size();
        }

        @Override
        public @Nullable Item coalesce(Item earlier, Item later) {
            return earlier.id() % 2 == 0 && later.id() % 2 == 0 ? later : null;
        }
    }
}
