package io.stowline.testkit.internal.strict.rule;

import io.stowline.testkit.StrictRule;
import java.util.Map;

/** A refusal that ends the check of a request. Never leaves the package. */
public final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int ALONE = -1;

    private final StrictRule rule;
    private final transient Map<String, String> elements;
    private final int index;

    RefusedException(StrictRule rule, String message, Map<String, String> elements) {
        this(rule, message, elements, ALONE);
    }

    private RefusedException(StrictRule rule, String message, Map<String, String> elements, int index) {
        super(message, null, false, false);
        this.rule = rule;
        this.elements = elements;
        this.index = index;
    }

    public StrictRule rule() {
        return rule;
    }

    public String text() {
        return String.valueOf(getMessage());
    }

    /** Returns the elements of the body beside code and message. */
    public Map<String, String> elements() {
        return elements;
    }

    public boolean concernsOperation() {
        return index != ALONE;
    }

    public int index() {
        return index;
    }

    public RefusedException atOperation(int operation) {
        return new RefusedException(rule, text(), elements, operation);
    }
}
