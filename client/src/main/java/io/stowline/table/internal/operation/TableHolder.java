package io.stowline.table.internal.operation;

import java.util.Objects;

/** A face of a table that an application may name as a member of a transaction or writer. */
public interface TableHolder<T> {

    /** Returns the rows of this type. */
    TableMember<T> member();

    /**
     * Returns the rows of a face that the application has made for this type.
     *
     * @param face a table or an indexed table, blocking or reactive
     * @throws IllegalArgumentException if it is not one of this library
     */
    @SuppressWarnings("unchecked") // the caller has the type from the face
    static <T> TableMember<T> member(Object face) {
        Objects.requireNonNull(face, "table");
        if (face instanceof TableHolder<?> holder) {
            return (TableMember<T>) holder.member();
        }
        throw new IllegalArgumentException(
                face.getClass().getName() + " is no table of a Stowline: its rows cannot join those of another type");
    }
}
