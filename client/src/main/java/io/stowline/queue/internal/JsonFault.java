package io.stowline.queue.internal;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Says what is wrong with JSON, as far as it can be said without quoting any of it: types, properties and places. */
final class JsonFault {

    private JsonFault() {}

    static BodyException of(String failing, Exception error) {
        Throwable beneath = error instanceof UncheckedIOException ? error.getCause() : null;
        Throwable cause = beneath == null ? error : beneath;
        return new BodyException(failing + ": " + why(cause), cause);
    }

    private static String why(Throwable cause) {
        if (cause instanceof InvalidDefinitionException unmapped && unmapped.getType() != null) {
            return "there is no mapping for " + unmapped.getType().toCanonical() + path(unmapped);
        }
        if (cause instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return "the value does not fit " + mismatch.getTargetType().getTypeName() + path(mismatch);
        }
        if (cause instanceof JsonMappingException mapping) {
            return mapping.getClass().getSimpleName() + path(mapping);
        }
        if (cause instanceof JsonProcessingException broken) {
            return broken.getClass().getSimpleName() + place(broken.getLocation());
        }
        return cause.getClass().getName();
    }

    private static String place(JsonLocation where) {
        return where == null ? "" : " at line " + where.getLineNr() + ", column " + where.getColumnNr();
    }

    private static String path(JsonMappingException error) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : error.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else if (step.getFrom() instanceof Map<?, ?>) {
                // Its keys are content.
                path.append("[a key]");
            } else {
                path.append('.').append(step.getFieldName());
            }
        }
        return path.isEmpty() ? "" : " at " + (path.charAt(0) == '.' ? path.substring(1) : path);
    }
}
