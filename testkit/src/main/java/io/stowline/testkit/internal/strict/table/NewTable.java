package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.internal.strict.request.Bytes;
import io.stowline.testkit.internal.strict.request.EntityBody;
import io.stowline.testkit.internal.strict.request.EntityBody.BodyProperty;
import io.stowline.testkit.internal.strict.request.EntityBody.BodyValueKind;
import java.util.Optional;

/** Reads requests that create a table. */
public final class NewTable {

    private NewTable() {}

    /**
     * Returns the name of the table to create.
     *
     * @param body the body of a POST to {@code Tables}
     * @return empty when it holds none
     */
    public static Optional<String> name(byte[] body) {
        return EntityBody.of(Bytes.all(body)).flatMap(NewTable::name);
    }

    static Optional<String> name(EntityBody body) {
        BodyProperty name = body.find("TableName");
        return name == null || name.kind() != BodyValueKind.TEXT ? Optional.empty() : Optional.of(name.text());
    }
}
