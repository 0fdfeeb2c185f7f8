package io.stowline.table.internal;

import io.stowline.projection.EdmType;
import java.nio.charset.StandardCharsets;

/**
 * What stands before a property's value in JSON: {@code ,"Name":}, and before it {@code ,"Name@odata.type":"Edm.Int64"} where the
 * value alone does not tell its type. Doubles are always annotated, because a whole one reads as an Int32 otherwise.
 *
 * @param name the property's name
 * @param bytes what is written before its value
 */
@SuppressWarnings("ArrayRecordComponent") // made once per property; nobody compares them
public record FieldPrefix(String name, byte[] bytes) {

    /**
     * The prefix of a property.
     *
     * @param name its name
     * @param type its type
     * @return the prefix
     */
    public static FieldPrefix of(String name, EdmType type) {
        String annotation =
                switch (type) {
                    case STRING, BOOLEAN, INT32 -> "";
                    case INT64, DOUBLE, DATETIME, GUID, BINARY ->
                        ",\"" + name + "@odata.type\":\"" + type.wireName() + "\"";
                };
        return new FieldPrefix(name, (annotation + ",\"" + name + "\":").getBytes(StandardCharsets.UTF_8));
    }
}
