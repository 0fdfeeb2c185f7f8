package io.stowline.testkit.internal.strict.access;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.internal.wire.XmlDocument;
import io.stowline.testkit.internal.wire.XmlDocument.XmlElement;
import java.util.regex.Pattern;

/** Check of the retention and the static website among the properties of a service. */
public final class ServicePropertiesCheck implements StrictCheck {

    private static final int MAX_DAYS = 365;
    private static final Pattern DAYS = Pattern.compile("0*\\d{1,9}");
    private static final String WEBSITE = "/StaticWebsite/";

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (request.method().equals("PUT") && request.has("comp", "properties") && request.has("restype", "service")) {
            check(XmlDocument.read(request.body()), rules);
        }
    }

    private static void check(XmlDocument properties, Rulebook rules) {
        for (XmlElement element : properties.elements()) {
            String text = element.text().strip();
            if (element.path().endsWith("RetentionPolicy/Days")
                    && DAYS.matcher(text).matches()) {
                int days = Integer.parseInt(text);
                if (days < 1 || days > MAX_DAYS) {
                    rules.refuse(
                            StrictRule.RETENTION_DAYS,
                            "Retention days must be greater than 0 and less than or equal to 365 days.");
                }
            }
        }
        boolean off = properties.elements().stream()
                .anyMatch(element -> element.path().endsWith(WEBSITE + "Enabled")
                        && element.text().strip().equalsIgnoreCase("false"));
        boolean page = properties.elements().stream()
                .anyMatch(element -> element.path().endsWith(WEBSITE + "IndexDocument"));
        if (off && page) {
            rules.refuse(
                    StrictRule.STATIC_WEBSITE,
                    "Element IndexDocument is only expected when StaticWebsite/Enabled is enabled.");
        }
    }
}
