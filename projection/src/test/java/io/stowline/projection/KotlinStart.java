package io.stowline.projection;

import kotlin.jvm.internal.DefaultConstructorMarker;
import org.jspecify.annotations.Nullable;

/** {@code data class Start(val race: String = "", val bib: String = "")}: Kotlin adds one that takes nothing, too. */
@SuppressWarnings("unused") // read by the mapping
public final class KotlinStart {
    private final String race;
    private final String bib;

    public KotlinStart() {
        this("", "", 3, null);
    }

    public KotlinStart(@PartitionKey String race, @RowKey String bib) {
        this.race = race;
        this.bib = bib;
    }

    public KotlinStart(String race, String bib, int absent, @Nullable DefaultConstructorMarker marker) {
        this((absent & 1) != 0 ? "" : race, (absent & 2) != 0 ? "" : bib);
    }
}
