package io.stowline.batching.internal.engine;

import io.stowline.batching.internal.batch.BatchDescriptor;
import org.jspecify.annotations.Nullable;

/** The item of the tests: an entity, a size, a distinct number, whether it is conditional, and its weight. */
record Item(String entity, int size, int id, boolean conditional, int weight) {

    Item(String entity, int size, int id, boolean conditional) {
        this(entity, size, id, conditional, 1);
    }

    Item(String entity, int size, int id) {
        this(entity, size, id, false);
    }

    static Item of(String entity) {
        return new Item(entity, 10, 0);
    }

    static Item of(String entity, int id) {
        return new Item(entity, 10, id);
    }

    static Item heavy(String entity, int weight) {
        return new Item(entity, 10, 0, false, weight);
    }

    static Item conditional(String entity, int id) {
        return new Item(entity, 10, id, true);
    }

    /** Sizes as given; merges unconditional items of the same entity when both ids are even, into the later one. */
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
        public int weight(Item item) {
            return item.weight();
        }

        @Override
        public boolean conditional(Item item) {
            return item.conditional();
        }

        @Override
        public @Nullable Item coalesce(Item earlier, Item later) {
            boolean plain = !earlier.conditional() && !later.conditional();
            return plain && earlier.id() % 2 == 0 && later.id() % 2 == 0 ? later : null;
        }
    }
}
