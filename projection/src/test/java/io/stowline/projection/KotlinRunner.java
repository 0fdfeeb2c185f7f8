package io.stowline.projection;

import kotlin.jvm.internal.DefaultConstructorMarker;
import org.jspecify.annotations.Nullable;

/** {@code data class Runner(val race: String, val bib: String, val age: Int = 18)}. */
@SuppressWarnings("unused") // read by the mapping
public final class KotlinRunner {
    private final String race;
    private final String bib;
    private final int age;

    public KotlinRunner(@PartitionKey String race, @RowKey String bib, int age) {
        this.race = race;
        this.bib = bib;
        this.age = age;
    }

    public KotlinRunner(String race, String bib, int age, int absent, @Nullable DefaultConstructorMarker marker) {
        this(race, bib, (absent & 4) != 0 ? 18 : age);
    }

    public String getRace() {
        return race;
    }

    public String getBib() {
        return bib;
    }

    public int getAge() {
        return age;
    }
}
