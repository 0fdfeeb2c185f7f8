package io.stowline.table;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;

/** Rows of one department: its own, and those of its employees. */
final class Staff {

    private Staff() {}

    record Department(@PartitionKey String name, @RowKey String key, String head, int budget) {

        static Department of(String name) {
            return new Department(name, "D:info", "Ann", 100);
        }
    }

    record Employee(@PartitionKey String department, @RowKey String key, String name, Integer age) {

        static Employee of(String department, int number) {
            return new Employee(department, String.format("E:%05d", number), "employee " + number, 20 + number % 40);
        }
    }
}
