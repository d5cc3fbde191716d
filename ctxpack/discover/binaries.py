"""Suffixes whose files are never text: spared the reading."""

# ruff: noqa: SIM905 -- tables of words
from __future__ import annotations

BINARY_SUFFIXES = frozenset(
    (
        "png jpg jpeg gif bmp ico icns webp avif tif tiff psd ai xcf heic raw cur "
        "mp3 mp4 m4a m4v wav flac ogg oga ogv webm avi mov mkv wmv aac mid opus "
        "zip gz tgz bz2 xz lzma zst 7z rar tar jar war ear whl egg nupkg apk ipa aab deb rpm dmg iso cab br lz4 "
        "exe dll so dylib a o obj lib pdb class pyc pyo pyd wasm node elc beam "
        "woff woff2 ttf otf eot ttc "
        "pdf docx xlsx pptx odt ods odp doc xls ppt epub "
        "sqlite sqlite3 db mdb parquet arrow feather orc npy npz h5 hdf5 pkl pickle joblib onnx pt pth gguf "
        "safetensors mo gmo jks p12 pfx keystore gpg der swf fla blend fbx glb stl ktx dds exr hdr shp dbf shx mmdb"
    ).split()
)
